import { Rejected, rejection } from "../../platform/kernel/rejection.ts";

/** The one answer to every wrong, missing, expired or revoked credential or token, so that it tells nothing. */
export function unauthenticated(): Rejected {
  return new Rejected(
    rejection("unauthenticated", "No active account was found with the given credentials."),
  );
}

/** The answer to a right credential from a network that its allow-list does not name. */
export function addressNotAllowed(): Rejected {
  return new Rejected(
    rejection("addressNotAllowed", "The credential's allow-list does not name this address."),
  );
}
