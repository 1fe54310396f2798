/** Breaks text between words at `width`; further lines are indented. */
export function wrapped(text: string, width: number, indent: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.length - 1;
    if (lines[last] !== '' && lines[last].length + 1 + word.length > width) lines.push(word);
    else lines[last] += `${lines[last] === '' ? '' : ' '}${word}`;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}
