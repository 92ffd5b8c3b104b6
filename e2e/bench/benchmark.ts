/** One thing that is measured. `run` returns the lines to print: figures, and the ratios that the issue bounds. */
export type Benchmark = {
  readonly name: string;
  readonly title: string;
  run(context: {
    report: (line: string) => void;
    options: Readonly<Record<string, string>>;
  }): Promise<readonly string[]>;
};
