/** Which right word a wrong one was meant to be. */

/** Insertions, deletions, substitutions and swaps of neighbours between two words (Damerau, restricted). */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min(rows[i - 1][j] + 1, row[j - 1] + 1, substituted);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        row[j] = Math.min(row[j], rows[i - 2][j - 2] + 1);
      }
    }
    rows.push(row);
  }
  return rows[a.length][b.length];
}

const longest = 60;
const mostChoices = 1000;

/**
 * The nearest of `choices`, capitals aside; undefined if none is near: more than a third of the word is wrong, or
 * there is too much to compare.
 *
 * @example
 * nearestName('trian', ['train', 'evaluate']); // 'train'
 */
export function nearestName(word: string, choices: readonly string[]): string | undefined {
  // The comparison takes time and room of the product of both lengths.
  if (word.length > longest || choices.length > mostChoices) return undefined;
  const distances = choices.map((choice) => editDistance(word.toLowerCase(), choice.toLowerCase()));
  const best = distances.indexOf(Math.min(...distances));
  if (best < 0) return undefined;
  const isNear = distances[best] <= Math.max(word.length, choices[best].length) / 3;
  return isNear ? choices[best] : undefined;
}
