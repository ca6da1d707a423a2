/** What the descriptions of routes for operators begin with. */
export const forOperators = "For Owners and Admins of an account that operates the deployment.";

/** The reason for an operator's action on another account's money. */
export const reasonField = {
  kind: "String",
  required: true,
  maxLength: 256,
  description: "The reason, recorded in the audit logs of both accounts.",
} as const;
