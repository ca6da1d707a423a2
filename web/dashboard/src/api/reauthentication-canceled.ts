/** The user closed the dialog that asks for the identity, so the action was not run. Nothing needs to be shown. */
export class ReauthenticationCanceled extends Error {
  override readonly name = "ReauthenticationCanceled";
}
