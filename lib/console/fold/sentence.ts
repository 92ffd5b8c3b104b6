/** What is going on, in two parts: `lead` fits a heading or a tab's title, `rest` says what delays it and what that means. `rest` may be empty. */
export type Sentence = { lead: string; rest: string };
