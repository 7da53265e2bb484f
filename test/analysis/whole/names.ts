/** Host names that both the cases and the environment of complete emails use. */

/** A host that the web-risk service of these tests reports as dangerous. */
export const FLAGGED = 'flagged.example';
