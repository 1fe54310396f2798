/** Every op's launcher. One that is missing does not compile. */
import { adamUpdateWasm } from '../../ops/adam/adam-update.wasm.ts';
import { addAllWasm } from '../../ops/add-all/add-all.wasm.ts';
import { attendedSumWasm } from '../../ops/attended-sum/attended-sum.wasm.ts';
import { edgeDotWasm } from '../../ops/edge-dot/edge-dot.wasm.ts';
import { elementwiseWasm } from '../../ops/elementwise/elementwise.wasm.ts';
import { valueWasm } from '../../ops/fill/value.wasm.ts';
import { gatherWasm } from '../../ops/gather/gather.wasm.ts';
import { gruWasm } from '../../ops/gru-cell/gru.wasm.ts';
import { linearWasm } from '../../ops/linear/linear.wasm.ts';
import { matmulWasm } from '../../ops/matmul/matmul.wasm.ts';
import { reduceWasm } from '../../ops/reduce/reduce.wasm.ts';
import { scatterAllWasm } from '../../ops/scatter-all/scatter-all.wasm.ts';
import { segmentWasm } from '../../ops/segment/segment.wasm.ts';
import { moveWasm } from '../../ops/shape/move.wasm.ts';
import { softmaxWasm } from '../../ops/softmax/softmax.wasm.ts';
import { typedLinearWasm } from '../../ops/typed-linear/typed-linear.wasm.ts';
import { weightedSumWasm } from '../../ops/weighted-sum/weighted-sum.wasm.ts';
import { whereWasm } from '../../ops/where/where.wasm.ts';
import type { WasmKernelTable } from './wasm-kernel.ts';

export const kernelTable: WasmKernelTable = {
  ...elementwiseWasm,
  ...addAllWasm,
  ...whereWasm,
  ...valueWasm,
  ...matmulWasm,
  ...linearWasm,
  ...reduceWasm,
  ...moveWasm,
  ...softmaxWasm,
  ...gatherWasm,
  ...scatterAllWasm,
  ...segmentWasm,
  ...weightedSumWasm,
  ...attendedSumWasm,
  ...typedLinearWasm,
  ...edgeDotWasm,
  ...gruWasm,
  ...adamUpdateWasm,
};
