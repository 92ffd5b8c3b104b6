/** The operator's chart in its public repository, under the name that its README gives. The chart keeps its version. */
export const operatorChart = 'projectcalico/tigera-operator';

/** Whether this is a chart: `repository/chart`, an address, a folder or a packed chart. It must not look like a flag or contain a password. */
export function isChart(chart: string): boolean {
  return /^[A-Za-z0-9/.][A-Za-z0-9/._:+~-]{0,1000}$/.test(chart);
}

/** Whether a value can follow `--set PATH=` as plain text: helm interprets commas, braces and backslashes. */
export function isHelmValue(value: string): boolean {
  return /^[A-Za-z0-9/][A-Za-z0-9._/:-]{0,500}$/.test(value);
}
