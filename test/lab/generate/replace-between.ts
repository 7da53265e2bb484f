/**
 * Returns the page with the text between the comments `<!-- NAME -->` and `<!-- end of NAME -->`.
 * @throws if the page does not have both
 */
export function replaceBetween(page: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The page has no "${begin}" with its end.`);
  return `${page.slice(0, from)}${begin}\n${text}\n${page.slice(to)}`;
}
