/** The user's choice of a theme; `system` follows the system. Stored in a cookie, so that the first paint is right. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const themeCookie = 'signalbox_theme';

export function themeOf(value: string | undefined): Theme {
  return themes.find((theme) => theme === value) ?? 'system';
}
