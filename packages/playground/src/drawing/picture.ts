/** What is to be seen on a map, as plain data. */
import type { GridMap, NodeArrow } from '@flowgrad/gridworld';
import type { Zoom } from './map-layout.ts';
import type { Places } from './places.ts';
import type { AttentionScale, ThemeName } from './attention-scale.ts';

export interface Flow {
  readonly senders: Int32Array;
  readonly receivers: Int32Array;
  /** [edges] flowing attention. */
  readonly amounts: Float32Array;
}

/** All edges, self-loops behind the others. */
export interface Edges extends Pick<Flow, 'senders' | 'receivers'> {
  /** [edges but self-loops] each has a colour of its own; see `edgeClasses`. */
  readonly classes?: Int32Array;
}

export interface Picture {
  readonly places: Places;
  readonly zoom: Zoom;
  readonly edges: Edges;
  /** Of grid worlds. */
  readonly map?: GridMap;
  readonly theme: ThemeName;
  readonly scale: AttentionScale;
  /** [nodes] what the colours show. */
  readonly amounts?: ArrayLike<number>;
  /** [nodes] what of them has stopped for good. */
  readonly stopped?: ArrayLike<number>;
  readonly flow?: Flow;
  readonly arrows?: readonly NodeArrow[];
  readonly walks?: readonly ArrayLike<number>[];
  /** [nodes] a second distribution, drawn as rings. */
  readonly rings?: ArrayLike<number>;
  readonly source?: number;
  /** A node that is pointed at, here or elsewhere on the page. */
  readonly marked?: number;
  /** Names of nodes that stand beside them. */
  readonly labels?: readonly (readonly [node: number, name: string])[];
}
