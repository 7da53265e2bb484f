/**
 * @import { Context } from '../view/context.mjs'
 * @import { Translate } from '../texts.ts'
 */
import { translator } from '../view/context.mjs';

const { root = '', assets = '' } = document.documentElement.dataset;

/** @type {{ readonly texts: Readonly<Record<string, string>> }} */
const { texts } = await import(new URL(`${assets}strings.mjs`, location.origin).href);

/** @type {Context} What the views are written with, in this browser. */
export const context = { t: translator(texts), href: (path) => root + path };

/** @type {Translate} */
export const t = context.t;

/** The path of a module that is loaded only when it is needed. @param {string} name */
export const assetUrl = (name) => new URL(assets + name, location.origin).href;
