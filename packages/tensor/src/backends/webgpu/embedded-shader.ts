/** The short form in which tools/wgsl writes a .wgsl file: what host code must know of it is read from its text. */
import type { Shader, ShaderBuffer, ShaderParameter, ShaderPiece } from '../../core/shader.ts';

/** Lines of a file that shaders import, by the number of the first; the file without its ending. */
export const piecesOf = (file: string, texts: Readonly<Record<number, string>>): ShaderPiece[] =>
  Object.entries(texts).map(([line, text]) => ({ file: `${file}.wgsl`, line: Number(line), text }));

/** A shader of a file, which is given without its ending, and of what it imports. */
export function embedded<S extends Shader<string, never>>(
  file: string,
  text: string,
  imported: readonly ShaderPiece[],
  choices: NonNullable<S['choices']> = {},
): S {
  const pieces = [...piecesOf(file, { 1: text }), ...imported];
  const code = pieces.map((piece) => piece.text).join('');
  const shader: Shader = {
    name: file.replace(/.*\//, ''),
    path: pieces[0].file,
    code,
    buffers: buffersIn(code),
    ...paramsIn(code),
    constants: Array.from(code.matchAll(/override (\w+)/g), ([, name]) => name),
    choices,
    pieces,
  };
  return shader as Shader<string, never> as S;
}

// The texts that are shipped have no spaces but between words (tools/wgsl/src/shorten.js).

/** By their binding numbers: some are declared in a file that the shader imports. */
function buffersIn(code: string): ShaderBuffer[] {
  const buffers: ShaderBuffer[] = [];
  for (const [, binding, access, name] of code.matchAll(/(\d)\) ?var<storage, ?(\w+)> ?(\w+)/g)) {
    buffers[Number(binding)] = { name, access: access as ShaderBuffer['access'] };
  }
  return buffers;
}

/** The members of `params`, numbers one after the other, lists (vec4, arrays of it) from a multiple of 16 bytes on. */
function paramsIn(code: string): {
  readonly params: readonly ShaderParameter[];
  readonly paramsSize: number;
} {
  const [, struct] = /var<uniform> ?\w+: ?(\w+)/.exec(code)!;
  const [, members] = new RegExp(`struct ${struct} ?{([^}]*)`).exec(code)!;
  let end = 0;
  let alignment = 4;
  const roundUp = (): number => Math.ceil(end / alignment) * alignment;
  const params = Array.from(
    members.matchAll(/(\w+): ?(?:array<)?(vec4<?)?([uif])(?:32)?(?:>?, ?(\d+))?/g),
    ([, name, vector, letter, length = 1]): ShaderParameter => {
      if (vector) alignment = 16;
      const count = vector ? 4 * Number(length) : 1;
      const offset = vector ? roundUp() : end;
      end = offset + 4 * count;
      return { name, type: `${letter}32` as ShaderParameter['type'], offset, count };
    },
  );
  return { params, paramsSize: roundUp() };
}
