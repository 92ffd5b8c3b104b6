/** Everything that a hostile text may contain, for the tests of every output. */
const parts = {
  'clear the screen': '\u001b[2J\u001b[H',
  'title of the window': '\u001b]0;owned\u0007',
  'a link of a terminal': '\u001b]8;;https://evil.example\u001b\\',
  bell: '\u0007',
  backspaces: '\b\b\b',
  'carriage return': '\rsignalbox: done',
  'C1 control sequence': '\u009b31m',
  'next line': '\u0085',
  DEL: '\u007f',
  'turned around': '\u202egnp.exe\u2066x\u2069\u200f\u061c',
  'nothing to see': 'a\u200bb\u200c\u200d\u2060\ufeff\u00ad',
  tags: '\u{e0041}\u{e007f}',
  'lines of Unicode': '\u2028\u2029',
  script: '</script><img src=x onerror="globalThis.owned=1"><script>globalThis.owned=1</script>',
  shell: `'"; $(touch /tmp/owned) \`id\` && reboot #`,
  markdown:
    '[here](https://evil.example) ![x](https://evil.example/x.png) **bold** `code` | cell | https://evil.example',
} as const;

/** A value for a field that takes any text. `where` is at its beginning, so that a match tells where it came from. */
export function canary(where: string): string {
  return `c4n4ry-${where}${Object.values(parts).join('')}\nsignalbox: forged line c4n4ry-end`;
}

/** Every raw character that must not be in output for people, with its surroundings. Line feeds and tabs are layout. */
export function rawCharacters(text: string): string[] {
  const raw =
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Cs}/gu;
  return [...text.matchAll(raw)].map(({ 0: character, index }) =>
    JSON.stringify(
      `U+${(character.codePointAt(0) ?? 0).toString(16)} in ${text.slice(Math.max(0, index - 30), index + 10)}`,
    ),
  );
}
