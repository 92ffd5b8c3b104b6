/** What a figure has to be, by issue; null: it is only printed. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number } | null;

/** One figure of a row: a value of each round, as a ratio (the more the better) or in a unit. */
export type Figure = {
  readonly name: string;
  readonly values: readonly number[];
  readonly unit?: string;
  readonly goal: Goal;
};

/** What can be measured by itself. `seconds`: about how long it takes on two cores with nothing beside it. */
export type Row = {
  readonly name: string;
  readonly title: string;
  readonly seconds: (options: Options) => number;
  readonly run: (options: Options, report: (line: string) => void) => Promise<readonly Figure[]>;
};

export type Options = {
  /** How many Services, one run for each. */
  readonly scales: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  /** Whether the kernel counts what programs take, which takes some time itself. */
  readonly profile: boolean;
  /** Whether there is `nft`: nftables is measured too. */
  readonly nft: boolean;
  /** Paths of other objects of the programs, which are measured too and printed beside the figures. */
  readonly objects: readonly string[];
};

/** The value in the middle, and between which half of them lie. */
export function spread(values: readonly number[]): {
  readonly median: number;
  readonly low: number;
  readonly high: number;
} {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const quarter = Math.floor(sorted.length / 4);
  return { median: at(sorted.length >> 1), low: at(quarter), high: at(sorted.length - 1 - quarter) };
}

/** `name  1.19 (1.17–1.20)  ≥ 1.40  missed`, a line a figure. */
export function table(figures: readonly Figure[]): string[] {
  const rows = figures.map((figure) => {
    const { median, low, high } = spread(figure.values);
    const text = (value: number) => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
    const { goal, unit } = figure;
    return [
      figure.name,
      `${text(median)}${unit ? ` ${unit}` : ''} (${text(low)}–${text(high)})`,
      goal === null ? '' : 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`,
      goal === null ? '' : isMet(median, goal) ? 'met' : 'missed',
    ];
  });
  const width = (column: number) => Math.max(...rows.map((cells) => (cells[column] ?? '').length));
  return rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(width(column)))
      .join('  ')
      .trimEnd(),
  );
}

function isMet(value: number, goal: NonNullable<Goal>): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}
