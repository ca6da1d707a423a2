/** Common values of `time_limit`, in seconds; the API accepts 59 to 2592000. */
export const expiryChoices: { readonly value: string; readonly label: string }[] = [
  { value: "", label: "Never" },
  { value: "900", label: "15 minutes" },
  { value: "1800", label: "30 minutes" },
  { value: "3600", label: "1 hour" },
  { value: "86400", label: "1 day" },
  { value: "604800", label: "1 week" },
  { value: "2592000", label: "30 days" },
];
