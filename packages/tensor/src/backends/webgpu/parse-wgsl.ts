/** The syntax tree of WGSL. Apart from the rest, since the parser is larger than the engine. */
import { WgslParser } from 'wgsl_reflect/wgsl_reflect.module.js';

/** A node of the tree, with the fields that nodes of one kind or another have. */
export interface WgslNode {
  readonly astNodeType: string;
  readonly name: string;
  readonly line: number;
  readonly storage?: string;
  readonly operator?: string;
  readonly type?: WgslNode;
  readonly format?: WgslNode;
  readonly value?: WgslNode;
  readonly variable?: WgslNode;
  readonly left?: WgslNode;
  readonly right?: WgslNode;
  readonly contents?: WgslNode;
  readonly index?: WgslNode;
  readonly postfix?: WgslNode | null;
  readonly condition?: WgslNode;
  readonly init?: WgslNode | null;
  readonly increment?: WgslNode | null;
  readonly continuing?: WgslNode | null;
  readonly body?: readonly WgslNode[];
  readonly elseif?: readonly WgslNode[] | null;
  readonly else?: readonly WgslNode[] | null;
  readonly cases?: readonly WgslNode[];
  readonly args?: readonly WgslNode[] | null;
  readonly attributes?: readonly { readonly name: string; readonly value?: string | string[] }[] | null;
}

export function parseWgsl(code: string): readonly WgslNode[] {
  return new WgslParser().parse(code) as unknown as readonly WgslNode[];
}
