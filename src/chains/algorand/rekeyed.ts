/** Why an account of ours cannot pay: it was rekeyed, outside this service, so the network refuses its own key. */
export function rekeyed(signedBy: string): string {
  return `the account was rekeyed: only the key of ${signedBy} signs for it`;
}
