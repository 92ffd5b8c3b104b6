import localFont from 'next/font/local';

/**
 * Both fonts are part of the build and preloaded. `optional`: a font that arrives late is used only on the next page, so that lines do not wrap again while the
 * user reads. Scripts other than Latin use system fonts.
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
