import type { PlatformKind } from '../choices.ts';
import { type Platform, platforms } from './platforms.ts';

type PlatformFound = { readonly platform: { readonly kind: PlatformKind } };
type PlatformChosen = { readonly platform?: PlatformKind | undefined };

/** The platform that holds for a cluster: the chosen one, because the administrator knows better; else the one that was found. */
export function platformIn(facts: PlatformFound, choices: PlatformChosen | null): PlatformKind {
  return choices?.platform ?? facts.platform.kind;
}

/** What is known about that platform. */
export function platformOf({ facts, choices }: { facts: PlatformFound; choices: PlatformChosen | null }): Platform {
  return platforms[platformIn(facts, choices)];
}
