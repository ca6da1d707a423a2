import type { Credential } from "../../accounts/credential.store.ts";
import { listCredentials } from "../../accounts/list-credentials.ts";
import type { Foundation } from "../build/foundation.ts";
import { findMembers } from "./find-member.ts";

/** The credential of that id. Throws when there is no such account, or it has none of that id. */
export async function findCredential(
  foundation: Pick<Foundation, "db">,
  accountId: string,
  credentialId: string,
): Promise<Credential> {
  await findMembers(foundation, accountId);
  const credentials = await listCredentials(foundation, accountId);
  const credential = credentials.find(({ id }) => id === credentialId);
  if (credential === undefined) throw new Error(`The account has no credential ${credentialId}.`);
  return credential;
}
