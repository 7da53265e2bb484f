/** Suggests the known word that a misspelt one was probably meant to be ("did you mean …?"). */

/** Maximum number of slips (typing mistakes): letters added, missing, replaced or swapped. */
const MAX_SLIPS = 2;

/** Returns the known word that was probably intended, or `undefined` if none is near enough. */
export function nearest<W extends string>(word: string, known: Iterable<W>): W | undefined {
  const [first] = [...known]
    .map((candidate) => ({ candidate, slips: slipsBetween(fold(word), fold(candidate)) }))
    // Two slips are too many in a short word.
    .filter(({ candidate, slips }) => slips <= Math.min(MAX_SLIPS, candidate.length / 3))
    .sort((a, b) => a.slips - b.slips);
  return first?.candidate;
}

/** Makes words comparable: differences in letter case or in the kind of dash do not count as slips. */
const fold = (word: string) => word.toLowerCase().replaceAll('-', '_');

/**
 * Returns the edit distance of two words, counting two swapped neighbours as one slip (optimal string
 * alignment). Each row has the distances from one prefix of the first word to every prefix of the other.
 */
function slipsBetween(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const { [j]: above = 0, [j - 1]: corner = 0 } = row;
      next.push(
        Math.min(
          above + 1,
          (next[j - 1] ?? 0) + 1,
          corner + Number(one[i - 1] !== other[j - 1]),
          isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
