import { felixOf } from '#lib/kube/index.ts';
import { picked } from './query.ts';
import { felixListing } from './sources.ts';

export const felixConfigurations = picked(felixListing, felixOf);
