type Row = readonly [sign: RegExp, name: string];

/** The first sign that a User-Agent has names it: Edge and Opera also call themselves Chrome, and Chrome calls itself Safari. */
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

/** `Firefox on Linux`: what a browser says of itself, in words of ours, so that nothing else of it is shown or kept. */
export function browserName(userAgent: string | undefined): string {
  const found = (rows: readonly Row[]) => rows.find(([sign]) => sign.test(userAgent ?? ''))?.[1];
  const [browser, system] = [found(browsers) ?? 'Unknown browser', found(systems)];
  return system === undefined ? browser : `${browser} on ${system}`;
}
