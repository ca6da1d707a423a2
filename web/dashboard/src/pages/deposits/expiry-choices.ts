import { t } from "../../language/t.ts";

/** Common values of `time_limit`, in seconds; the API accepts 59 to 2592000. */
export const expiryChoices: { readonly value: string; readonly label: string }[] = [
  { value: "", label: t("Never") },
  { value: "900", label: t("15 minutes") },
  { value: "1800", label: t("30 minutes") },
  { value: "3600", label: t("1 hour") },
  { value: "86400", label: t("1 day") },
  { value: "604800", label: t("1 week") },
  { value: "2592000", label: t("30 days") },
];
