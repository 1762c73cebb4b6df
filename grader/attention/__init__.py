"""The reference attention core: every right answer of the course is computed here, and here only.

Letters follow the papers (Vaswani et al. 2017, "Attention Is All You Need", section 3.2). Two conventions live side by
side: in the row convention a token is a row and q = x W_Q; in the column convention a token is a column and
Q = W_q X + b_q, with W_q the transpose of W_Q. A function works in one convention and says which.
"""
