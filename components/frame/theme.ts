/** Whether the reader chose a look; without a choice the system's is used. Kept in a cookie so that the first picture is the right one. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const themeCookie = 'signalbox_theme';

export function themeOf(value: string | undefined): Theme {
  return themes.find((theme) => theme === value) ?? 'system';
}
