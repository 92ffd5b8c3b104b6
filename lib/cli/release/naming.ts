import { type ImageNaming, namingFaults } from '#lib/spec/index.ts';
import { usageError } from '../exit.ts';
import type { Flags } from '../flags.ts';

const flagOf = { registry: 'registry', imagePath: 'image-path', imagePrefix: 'image-prefix' } as const;

/** `--registry`, `--image-path` and `--image-prefix`; throws for names that no registry can have. */
export function namingFromFlags(flags: Flags): ImageNaming {
  const naming = {
    registry: flags.text(flagOf.registry),
    imagePath: flags.text(flagOf.imagePath),
    imagePrefix: flags.text(flagOf.imagePrefix),
  };
  const [fault] = namingFaults(naming);
  if (fault) throw usageError(`--${flagOf[fault.field]}: ${fault.because}`);
  return naming;
}

export function isRenaming({ registry, imagePath, imagePrefix }: ImageNaming): boolean {
  return [registry, imagePath, imagePrefix].some((value) => value !== undefined && value !== '');
}
