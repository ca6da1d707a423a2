import { Rejected, rejection } from "../../platform/kernel/rejection.ts";

/** One text per kind of secret, whatever is wrong with it, so that the answer reveals nothing. */
const details = {
  login: "Incorrect login or password.",
  code: "Incorrect or expired code.",
  passkey: "The passkey was not accepted.",
  token: "The token is missing, invalid or expired.",
};

/** The rejection of a wrong, missing, expired or revoked secret. */
export function unauthenticated(secret: keyof typeof details): Rejected {
  return new Rejected(rejection("unauthenticated", details[secret]));
}

/** The rejection of a correct credential from a network that is not on its list. */
export function addressNotAllowed(): Rejected {
  return new Rejected(
    rejection("addressNotAllowed", "This address is not in the credential's allowed networks."),
  );
}
