/** Number of the template's revision, on Deployments and their ReplicaSets. */
export const revisionAnnotation = 'deployment.kubernetes.io/revision';
