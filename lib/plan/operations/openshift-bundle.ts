import { bundledConfigMap, operatorInstallation } from '../install/operator-installation.ts';
import { isBundle, requiredRelease } from '../objects/release-objects.ts';

/**
 * OpenShift’s own files (calico.md §1.2); their operator creates its own kinds. The file's placeholder for the API server’s name becomes the
 * endpoint’s ConfigMap, which was created with the chosen address before. The settings for the network operator follow once every node is proven.
 */
export const openshiftBundle = operatorInstallation({
  id: 'openshift.bundle',
  title: (context) => `Install the operator ${requiredRelease(context).operator} from OpenShift’s bundle`,
  why: 'OpenShift has its own files. In them, the address of the API server is the chosen one, and the service proxy is turned off only when every node is proven.',
  besides: [bundledConfigMap],
  appliesTo: (context) => isBundle(requiredRelease(context)),
});
