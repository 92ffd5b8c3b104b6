/** Two rails on their sleepers, from `from` to `to` (px) around `y`. */
export function Rails({ from, to, y }: { from: number; to: number; y: number }) {
  const sleepers: string[] = [];
  for (let x = from + 4; x < to - 3; x += 14) sleepers.push(`M${round(x + 1.5)} ${y - 8}v16`);
  return (
    <>
      <path d={sleepers.join('')} className="stroke-sleeper" strokeWidth="3" />
      <path
        d={`M${round(from)} ${y - 4}H${round(to)}M${round(from)} ${y + 4}H${round(to)}`}
        className="stroke-rail"
        strokeWidth="1.6"
        fill="none"
      />
    </>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
