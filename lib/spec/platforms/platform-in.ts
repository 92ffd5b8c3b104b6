import type { PlatformKind } from '../choices.ts';

/** The platform that holds for a cluster: the chosen one, because the administrator knows better; else the one that was found. */
export function platformIn(
  facts: { readonly platform: { readonly kind: PlatformKind } },
  choices: { readonly platform?: PlatformKind | undefined } | null,
): PlatformKind {
  return choices?.platform ?? facts.platform.kind;
}
