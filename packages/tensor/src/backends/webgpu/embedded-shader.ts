/** The short form in which tools/wgsl writes what it has read of a .wgsl file. */
import type { Shader, ShaderParameter, ShaderPiece } from '../../core/shader.ts';

/** Lines of a file that shaders import, by the number of the first; the file without its ending. */
export const piecesOf = (file: string, texts: Readonly<Record<number, string>>): ShaderPiece[] =>
  Object.entries(texts).map(([line, text]) => ({ file: `${file}.wgsl`, line: Number(line), text }));

/**
 * A shader of a file, which is given without its ending, and of what it imports. `buffers` are names, inputs before `>` and
 * outputs behind it: `x w > y`. `params` are names, each with its type unless that is u32, and with a count if it is a list:
 * `count scale:f32 extents*8`.
 */
export function embedded<S extends Shader<string, never>>(
  file: string,
  text: string,
  buffers: string,
  params: string,
  constants: string,
  imported: readonly ShaderPiece[],
  choices: NonNullable<S['choices']> = {},
): S {
  const pieces = [...piecesOf(file, { 1: text }), ...imported];
  const [inputs, outputs] = buffers.split('>').map(wordsOf);
  const layout = layoutOf(params);
  const shader: Shader = {
    name: file.replace(/.*\//, ''),
    path: pieces[0].file,
    code: pieces.map(({ text }) => text).join(''),
    buffers: [
      ...inputs.map((name) => ({ name, access: 'read' as const })),
      ...outputs.map((name) => ({ name, access: 'read_write' as const })),
    ],
    ...layout,
    constants: wordsOf(constants),
    choices,
    pieces,
  };
  return shader as Shader<string, never> as S;
}

const wordsOf = (text: string): string[] => text.split(' ').filter(Boolean);

/** Where the members of `params` lie: numbers one after the other, lists from a multiple of 16 bytes on. */
export function layoutOf(text: string): {
  readonly params: readonly ShaderParameter[];
  readonly paramsSize: number;
} {
  let end = 0;
  let alignment = 4;
  const roundUp = (): number => Math.ceil(end / alignment) * alignment;
  const params = wordsOf(text).map((member): ShaderParameter => {
    const [, name, type = 'u32', length] = /^(\w+)(?::(\w+))?(?:\*(\d+))?$/.exec(member)!;
    const count = Number(length ?? 1);
    if (count > 1) alignment = 16;
    const offset = count > 1 ? roundUp() : end;
    end = offset + 4 * count;
    return { name, type: type as ShaderParameter['type'], offset, count };
  });
  return { params, paramsSize: roundUp() };
}
