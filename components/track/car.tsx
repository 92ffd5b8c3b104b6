import type { Car as PlacedCar } from './cars.ts';

const looks: Record<PlacedCar['look'], { box: string; text: string }> = {
  standard: { box: 'fill-sheet stroke-edge', text: 'fill-ink-2' },
  bpf: { box: 'fill-green-tint stroke-green', text: 'fill-green' },
  moving: { box: 'fill-amber-tint stroke-amber', text: 'fill-amber' },
  'fell-back': { box: 'fill-red-tint stroke-red', text: 'fill-red' },
  unknown: { box: 'fill-violet-tint stroke-violet [stroke-dasharray:3_2.5]', text: 'fill-violet' },
};

/** A node, or a group of nodes, on its track. Moves with an animation, unless reduced motion is preferred. */
export function Car({
  car: { label, title, look, counts, x, y, width },
  isDown = false,
}: {
  car: PlacedCar;
  /** Its Services are down; drawn in red. */
  isDown?: boolean;
}) {
  const { box, text } = looks[isDown ? 'fell-back' : look];
  return (
    <g transform={`translate(${x} ${y})`} className="transition-transform duration-200">
      <title>{title}</title>
      {counts > 1 && (
        <rect
          x="3"
          y="-14"
          width={width - 6}
          height="8"
          rx="4"
          className={`${box} transition-[fill,stroke] duration-200`}
        />
      )}
      <rect y="-11" width={width} height="22" rx="5" className={`${box} transition-[fill,stroke,width] duration-200`} />
      <text x={width / 2} y="4" fontSize="11" fontWeight="560" textAnchor="middle" className={text}>
        {label}
      </text>
    </g>
  );
}
