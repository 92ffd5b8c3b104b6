/** A SHA-256 in hex as it is written here, in plans, journals, caches and requests. Text of another form comes from elsewhere. */
export const sha256Hex = /^[0-9a-f]{64}$/;
