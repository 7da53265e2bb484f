// UAX #9: embeddings, overrides and isolates change the order in which text is shown.
export const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/;
