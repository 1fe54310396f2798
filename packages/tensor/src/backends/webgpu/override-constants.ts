/** Override constants by name, and the numbers that the device takes for them. */
import { expectOneOf } from '../../core/errors.ts';
import type { Shader, ShaderConstants } from '../../core/shader.ts';

/** The values that a shader's override constants may have, by name. */
export type ConstantsOf<S> = S extends Shader<string, never, infer Constants> ? Constants : never;

/** What the device takes for override constants: the numbers of those that are named. */
export function constantsOf(
  { name, choices = {} }: Shader<string, never>,
  constants: ShaderConstants,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(constants).map(([constant, value]) => {
      if (typeof value === 'number') return [constant, value];
      const named = choices[constant] ?? {};
      return [constant, named[expectOneOf(name, constant, value, Object.keys(named))]];
    }),
  );
}
