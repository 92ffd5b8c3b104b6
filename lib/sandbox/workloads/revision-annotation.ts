/** On Deployments and their ReplicaSets: which revision of the template it is. */
export const revisionAnnotation = 'deployment.kubernetes.io/revision';
