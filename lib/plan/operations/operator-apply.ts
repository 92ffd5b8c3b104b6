import { operatorInstallation } from '../install/operator-installation.ts';
import { isBundle, requiredRelease } from '../objects/release-objects.ts';

/** The operator, as its release publishes it, from the mirror that the Installation names. */
export const operatorApply = operatorInstallation({
  id: 'operator.apply',
  title: (context) => `Install the operator ${requiredRelease(context).operator}`,
  why: 'It makes and keeps everything else. It may change much, so its rights are many; they are listed in its roles.',
  besides: [],
  appliesTo: (context) => !isBundle(requiredRelease(context)),
});
