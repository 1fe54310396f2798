/**
 * The names in a shader's text, read by the compiler: what `shader` gives back is then held to its own WGSL. Of text
 * that is not known when it is compiled (read from a file, say) any names are taken, and checked when it runs.
 */

/** The storage buffers of a text. */
export type BuffersIn<Text extends string> = string extends Text ? string : Buffers<Plain<Text>>;

/** The members of `params`: a number, or a list for vectors and arrays. None if the text has no uniform. */
export type ParamsIn<Text extends string> = string extends Text
  ? Readonly<Record<string, number | readonly number[]>>
  : Members<BodyOf<Plain<Text>, UniformType<Plain<Text>>>>;

/** The override constants. */
export type ConstantsIn<Text extends string> = string extends Text
  ? Readonly<Record<string, number>>
  : Readonly<Record<Overrides<Plain<Text>>, number>>;

/** Without comments to the end of a line. */
type Plain<Text extends string> = Text extends `${infer Before}//${infer After}`
  ? After extends `${string}\n${infer Rest}`
    ? Plain<`${Before}\n${Rest}`>
    : Before
  : Text;

type Space = ' ' | '\n' | '\t';
type Trim<Text extends string> = Text extends `${Space}${infer Rest}`
  ? Trim<Rest>
  : Text extends `${infer Rest}${Space}`
    ? Trim<Rest>
    : Text;

type Buffers<Text extends string> = Text extends `${string}var<storage${infer After}`
  ? After extends `${string}>${infer Name}:${infer Rest}`
    ? Trim<Name> | Buffers<Rest>
    : never
  : never;

type Overrides<Text extends string> = Text extends `${string}override ${infer After};${infer Rest}`
  ? NameIn<After> | Overrides<Rest>
  : never;

/** `power` of `power: u32 = 1u`, and of `power = 1u`. */
type NameIn<Text extends string> = Text extends `${infer Name}:${string}`
  ? Trim<Name>
  : Text extends `${infer Name}=${string}`
    ? Trim<Name>
    : Trim<Text>;

type UniformType<Text extends string> = Text extends `${string}var<uniform>${infer After};${string}`
  ? After extends `${string}:${infer Type}`
    ? Trim<Type>
    : never
  : never;

type BodyOf<Text extends string, Name extends string> = [Name] extends [never]
  ? ''
  : Text extends `${string}struct ${Name}${infer After}`
    ? After extends `${string}{${infer Body}}${string}`
      ? Body
      : ''
    : '';

/** Members stand between commas; so do parts of `array<vec4<f32>, 2>`, which have no colon. */
type Members<Body extends string> = Readonly<{
  [Member in Names<Body> as Member[0]]: Member[1] extends 'u32' | 'i32' | 'f32' ? number : readonly number[];
}>;

type Names<Body extends string> = Body extends `${infer First},${infer Rest}`
  ? NameAndType<First> | Names<Rest>
  : NameAndType<Body>;

type NameAndType<Text extends string> = Text extends `${infer Name}:${infer Type}`
  ? [Trim<Name>, Trim<Type>]
  : never;
