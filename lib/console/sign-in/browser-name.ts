type Row = readonly [sign: RegExp, name: string];

/** The first match counts: Edge and Opera also name Chrome, and Chrome names Safari. */
const browsers: readonly Row[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const systems: readonly Row[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** `Firefox on Linux`: a User-Agent in our own words, so that none of its text is shown or stored. */
export function browserName(userAgent: string | undefined): string {
  const found = (rows: readonly Row[]) => rows.find(([sign]) => sign.test(userAgent ?? ''))?.[1];
  const [browser, system] = [found(browsers) ?? 'Unknown browser', found(systems)];
  return system === undefined ? browser : `${browser} on ${system}`;
}
