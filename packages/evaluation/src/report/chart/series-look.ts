/**
 * How one line is told from another: colour, marker and dash. The colours are Okabe and Ito's, which differ for
 * colour-blind readers too, the pale ones darkened on white and the dark ones lightened on black; the marker says the
 * same without colour, and from the eighth line on there are dashes.
 */
export const lookColors = {
  light: ['#0072b2', '#d55e00', '#009e73', '#b4558c', '#c08400', '#3d9bd3', '#4a4a4a'],
  dark: ['#4a9fe0', '#ff8640', '#25c295', '#e79cc9', '#f0b429', '#9adcf7', '#d0d0d0'],
} as const;

const count = lookColors.light.length;
const dashes = ['', '6 3', '2 3', '8 3 2 3'] as const;

/** The name of the class that `chartStyle` colours. */
export const lookClass = (look: number): string => `look-${look % count}`;

/** The value of `stroke-dasharray`; empty if solid. */
export const dashOf = (look: number): string => dashes[Math.floor(look / count) % dashes.length];

/** Corners of the markers on a circle of radius 1, from the top clockwise; crosses have arms of 0.3. */
const polygon = (corners: number, turn = 0): [number, number][] =>
  Array.from({ length: corners }, (_, i) => {
    const angle = 2 * Math.PI * ((i + turn) / corners);
    return [Math.sin(angle), -Math.cos(angle)];
  });
const plus: readonly (readonly [number, number])[] = [
  ...([
    [-0.3, -1],
    [0.3, -1],
    [0.3, -0.3],
    [1, -0.3],
    [1, 0.3],
    [0.3, 0.3],
  ] as const),
  ...([
    [0.3, 1],
    [-0.3, 1],
    [-0.3, 0.3],
    [-1, 0.3],
    [-1, -0.3],
    [-0.3, -0.3],
  ] as const),
];
const turned = ([x, y]: readonly [number, number]): [number, number] => [0.71 * (x - y), 0.71 * (x + y)];
const shapes: readonly { readonly corners: readonly (readonly [number, number])[]; readonly size: number }[] =
  [
    { corners: polygon(16), size: 0.9 },
    { corners: polygon(4, 0.5), size: 1.15 },
    { corners: polygon(3), size: 1.2 },
    { corners: polygon(4), size: 1.2 },
    { corners: polygon(3, 1.5), size: 1.2 },
    { corners: plus, size: 1.1 },
    { corners: plus.map(turned), size: 1.1 },
  ];

/** The `d` of a path: a look's marker around (x, y). */
export function markerPath(look: number, x: number, y: number, radius: number): string {
  // Another marker for each round through the colours: no two lines share both.
  const { corners, size } = shapes[(look + 3 * Math.floor(look / count)) % shapes.length];
  const points = corners.map(
    ([dx, dy]) => `${tenth(x + size * radius * dx)} ${tenth(y + size * radius * dy)}`,
  );
  return `M${points.join('L')}Z`;
}

/** Positions need no more than a tenth of a pixel. */
export const tenth = (value: number): string => String(Math.round(value * 10) / 10);
