import type { GpuKernelTable } from '../../backends/webgpu/kernel.ts';
import { groupsOf, unitsOf } from '../../backends/webgpu/kernel.ts';
import { shaders } from '../../backends/webgpu/generated/shaders.ts';
import { lanesPerEdge, segmentDispatches } from '../segment/segment-dispatch.webgpu.ts';
import { slicesOfMessages } from './attended-sum-grad.op.ts';

export const attendedSumKernels = {
  attendedSum: ({ values, weights, bias, from, into, unattended }, { out }, gpu) => {
    const [width, headWidth] = [values.shape[1], bias.shape[0]];
    for (const pass of segmentDispatches(into, width, headWidth)) {
      gpu.dispatch(shaders.attendedSum, {
        ...pass,
        buffers: {
          values,
          weights,
          bias,
          ids: from.ids,
          offsets: into.offsets,
          order: into.order,
          unattended: unattended ?? bias,
          out,
        },
        params: { ...pass.params, head_width: headWidth },
        constants: { ...pass.constants, has_unattended: Number(unattended !== undefined) },
        flops: 8 * into.length * width,
      });
    }
  },
  attendedSumGrad: ({ dout, values, weights, bias, from, into }, { slopes, dweights }, gpu) => {
    const [messages, width] = slopes.shape;
    const headWidth = bias.shape[0];
    const units = messages * (width / headWidth);
    const { lanes, in_fours } = lanesPerEdge(headWidth);
    gpu.dispatch(shaders.attendedSumGrad, {
      buffers: { dout, values, weights, bias, from_ids: from.ids, into_ids: into.ids, slopes, dweights },
      params: { units, width, head_width: headWidth },
      constants: { lanes, in_fours },
      workgroups: groupsOf(units, 64 / lanes),
      flops: 12 * messages * width,
    });
  },
  attendedBiasGrad: ({ slopes, dout, bias, unattended }, { out }, gpu) => {
    const [[messages, width], [rows]] = [slopes.shape, dout.shape];
    const headWidth = bias.shape[0];
    const { units, in_fours } = unitsOf(headWidth);
    const depth = slicesOfMessages(messages, rows);
    const lanes = 16;
    gpu.dispatch(shaders.attendedBiasGrad, {
      buffers: { slopes, dout, bias, unattended: unattended ?? bias, out },
      params: {
        messages,
        rows,
        width,
        head_width: headWidth,
        units,
        slices: depth.slices,
        slice_messages: depth.messages,
        slice_rows: depth.rows,
      },
      constants: { lanes, has_unattended: Number(unattended !== undefined), in_fours },
      workgroups: groupsOf(depth.slices * units, 256 / lanes),
      flops: (messages + 2 * Number(unattended !== undefined) * rows) * width,
    });
  },
} satisfies Partial<GpuKernelTable>;
