/**
 * @import { Context } from '../view/context.mjs'
 * @import { Translate } from '../language.ts'
 */
import { linker, translator } from '../view/context.mjs';

const { root = '', lang = 'en', chosen, assets = '' } = document.documentElement.dataset;

/** @type {{ readonly texts: Readonly<Record<string, string>> }} */
const { texts } = await import(new URL(`${assets}strings.${lang}.mjs`, location.origin).href);

/** @type {Context} What the views are written with, in this browser. */
export const context = { lang, t: translator(texts), ...linker(root, chosen || undefined) };

/** @type {Translate} */
export const t = context.t;

/** The path of a module that is loaded only when it is needed. @param {string} name */
export const assetUrl = (name) => new URL(assets + name, location.origin).href;
