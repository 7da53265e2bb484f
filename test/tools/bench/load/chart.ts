/** One line of a panel, by the offered load. */
export interface Series {
  readonly name: string;
  readonly colour: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

export interface Panel {
  readonly title: string;
  readonly xTitle: string;
  readonly series: readonly Series[];
}

const PANEL = { width: 440, height: 300, left: 56, right: 16, top: 40, bottom: 44 };
const STEPS = 5;

/** The smallest of 1, 2, 5, 10, 20, 50 … times the steps that holds the value. */
export function niceMax(value: number): number {
  for (let unit = 0.1; ; unit *= 10)
    for (const times of [1, 2, 5]) if (unit * times * STEPS >= value) return unit * times * STEPS;
}

const round = (value: number) => Number(value.toFixed(1));

function toPanel({ title, xTitle, series }: Panel, index: number): string {
  const { width, height, left, right, top, bottom } = PANEL;
  const all = series.flatMap(({ points }) => points);
  const most = { x: niceMax(max(all.map(({ x }) => x))), y: niceMax(max(all.map(({ y }) => y))) };
  const toX = (x: number) => round(left + (x / most.x) * (width - left - right));
  const toY = (y: number) => round(height - bottom - (y / most.y) * (height - top - bottom));
  const ticks = Array.from({ length: STEPS + 1 }, (_, step) => step / STEPS).flatMap((share) => [
    `<path d="M${left} ${toY(share * most.y)}H${width - right}" stroke="#d0d7de"/>`,
    `<text x="${left - 6}" y="${toY(share * most.y) + 4}" text-anchor="end">${round(share * most.y)}</text>`,
    `<text x="${toX(share * most.x)}" y="${height - bottom + 18}" text-anchor="middle">${round(share * most.x)}</text>`,
  ]);
  const lines = series.flatMap(({ name, colour, points }, at) => [
    `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.map(({ x, y }) => `${toX(x)},${toY(y)}`).join(' ')}"/>`,
    ...points.map(({ x, y }) => `<circle cx="${toX(x)}" cy="${toY(y)}" r="3" fill="${colour}"/>`),
    `<text x="${left + 8}" y="${top + 14 + 16 * at}" fill="${colour}">${name}</text>`,
  ]);
  return [
    `<g transform="translate(${index * width} 0)">`,
    `<text x="${left}" y="22" font-weight="bold">${title}</text>`,
    ...ticks,
    ...lines,
    `<text x="${(left + width - right) / 2}" y="${height - 6}" text-anchor="middle">${xTitle}</text>`,
    '</g>',
  ].join('\n');
}

const max = (values: readonly number[]) => values.reduce((most, one) => Math.max(most, one), 0);

/** The panels side by side, as an SVG. Texts are ours: nothing is escaped. */
export function toChart(panels: readonly Panel[]): string {
  const [width, height] = [panels.length * PANEL.width, PANEL.height];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12" fill="#1f2328">`,
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    ...panels.map(toPanel),
    '</svg>',
    '',
  ].join('\n');
}
