const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text made safe for HTML and XML, between tags and in quoted attributes. */
export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (one) => ENTITIES[one] ?? one);

/** Markup that is safe to put into markup. */
export interface Html {
  readonly markup: string;
}

type Value = string | number | Html | readonly Html[];

const toMarkup = (value: Value): string => {
  if (typeof value === 'object')
    return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
  return escapeHtml(String(value));
};

/** A template whose values are escaped unless they are markup themselves. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  markup: parts
    .map((part, i) => part + (i < values.length ? toMarkup(values[i] ?? '') : ''))
    .join(''),
});

/** A whole page. `head`: what only some pages have there. */
export const page = (title: string, body: Html, head: Html = html``): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${head}
</head>
<body>
<header><a href="/">Email deliverability test</a></header>
<main>
<h1>${title}</h1>
${body}
</main>
<footer><nav aria-label="Documentation"><a href="/findings">Findings</a> <a href="/method">Method</a> <a href="/errors">Errors</a> <a href="/llms.txt">Guide</a> <a href="/openapi.json">OpenAPI</a></nav></footer>
</body>
</html>
`.markup;
