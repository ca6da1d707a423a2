/** The sealing context of the deployment's private key. */
export function pushKeyContext(id: string): string {
  return `push-key/${id}`;
}

/** The sealing context of a browser's secret. */
export function pushAuthContext(endpoint: string): string {
  return `push-auth/${endpoint}`;
}
