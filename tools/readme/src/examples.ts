/** An example of a README: a ```ts block directly followed by a ```text block with what it prints. */
export interface Example {
  readonly code: string;
  readonly expected: string;
  /** The line of the README, from 1, on which the code starts. */
  readonly line: number;
}

interface Fence {
  readonly language: string;
  readonly body: string;
  readonly line: number;
  /** Whether nothing but blank lines lies between the fence before and this one. */
  readonly adjacent: boolean;
}

/** The examples of a Markdown text. Other fenced blocks are not run. */
export function readExamples(markdown: string): Example[] {
  const blocks = fences(markdown);
  return blocks.flatMap((block, i) => {
    const next = blocks[i + 1] as Fence | undefined;
    if (block.language !== 'ts' || next?.language !== 'text' || !next.adjacent) return [];
    return [{ code: block.body, expected: next.body, line: block.line }];
  });
}

function fences(markdown: string): Fence[] {
  const found: Fence[] = [];
  let open: { mark: string; language: string; line: number; body: string[] } | undefined;
  let adjacent = false;
  for (const [i, line] of markdown.split(/\r?\n/).entries()) {
    if (open !== undefined) {
      if (line.trimEnd() === open.mark) {
        found.push({ language: open.language, body: `${open.body.join('\n')}\n`, line: open.line, adjacent });
        open = undefined;
        adjacent = true;
      } else {
        open.body.push(line);
      }
      continue;
    }
    const fence = /^(`{3,})\s*([\w-]*)\s*$/.exec(line);
    if (fence !== null) open = { mark: fence[1], language: fence[2], line: i + 2, body: [] };
    else if (line.trim() !== '') adjacent = false;
  }
  if (open !== undefined) {
    throw new Error(`readExamples: the fence opened on line ${open.line - 1} is never closed`);
  }
  return found;
}
