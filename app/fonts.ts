import localFont from 'next/font/local';

/**
 * Both are part of the build and asked for before anything is drawn. `optional`: a face that comes too late is used on the next page, so that no
 * line is broken anew under the reader's eyes. Letters beyond Latin come from the system.
 */
export const sans = localFont({
  src: '../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  weight: '100 900',
  display: 'optional',
  variable: '--font-inter',
});

export const mono = localFont({
  src: '../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
  weight: '100 800',
  display: 'optional',
  variable: '--font-jetbrains-mono',
  adjustFontFallback: false,
});
