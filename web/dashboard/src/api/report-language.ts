import { languageCode } from "../language/language.ts";
import { api } from "./api.ts";

/** Stores the page's language as that of the signed-in member's emails, unless it already is. */
export async function reportLanguage(): Promise<void> {
  const { language } = (await api.get("/notification-settings/")).data.attributes;
  if (language !== languageCode)
    await api.patch("/notification-settings/", { attributes: { language: languageCode } });
}
