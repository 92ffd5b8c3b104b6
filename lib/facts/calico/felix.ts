import { felixOf } from '#lib/kube/index.ts';
import { picked } from '../reading/query.ts';
import { felixListing } from '../reading/sources.ts';

export const felixConfigurations = picked(felixListing, felixOf);
