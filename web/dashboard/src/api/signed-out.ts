/** There is no session, so the request was not sent. The page leads to the sign-in form. */
export class SignedOut extends Error {
  override readonly name = "SignedOut";
}
